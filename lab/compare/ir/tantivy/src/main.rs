//! Indexes words that were cut already with Tantivy, asks queries (BM25, k1 1.2 and
//! b 0.75, which are fixed there), writes a run and what it took:
//! chaffinch-tantivy DOCS QUERIES INDEX DEPTH TIMES RUN

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::{Index, IndexWriter, TantivyDocument, Term, doc};

/// Processor seconds of this program so far.
fn cpu() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let (depth, times): (usize, usize) = (args[4].parse()?, args[5].parse()?);
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer("whitespace").set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let id = schema.add_text_field("id", STRING | STORED);
    std::fs::create_dir_all(&args[3])?;
    let start = cpu();
    let index = Index::create_in_dir(&args[3], schema.build())?;
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 100_000_000)?;
    for line in BufReader::new(File::open(&args[1])?).lines() {
        let line = line?;
        let (name, words) = line.split_once('\t').ok_or("a line without a tab")?;
        writer.add_document(doc!(id => name, text => words))?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()?;
    let built = cpu() - start;
    let bytes: u64 = std::fs::read_dir(&args[3])?.map(|f| f.and_then(|f| f.metadata()).map(|m| m.len()).unwrap_or(0)).sum();

    let searcher = index.reader()?.searcher();
    let mut asked = Vec::new();
    for line in BufReader::new(File::open(&args[2])?).lines() {
        let line = line?;
        let (name, words) = line.split_once('\t').ok_or("a line without a tab")?;
        let mut counts: Vec<(&str, f32)> = Vec::new();
        for w in words.split_whitespace() {
            match counts.iter_mut().find(|c| c.0 == w) {
                Some(c) => c.1 += 1.0,
                None => counts.push((w, 1.0)),
            }
        }
        let clauses = counts.iter().map(|(w, n)| {
            let q: Box<dyn Query> = Box::new(TermQuery::new(Term::from_field_text(text, w), IndexRecordOption::WithFreqs));
            (Occur::Should, if *n > 1.0 { Box::new(BoostQuery::new(q, *n)) as Box<dyn Query> } else { q })
        });
        asked.push((name.to_string(), BooleanQuery::new(clauses.collect())));
    }
    let mut out = BufWriter::new(File::create(&args[6])?);
    for (name, q) in &asked {
        for (rank, (score, at)) in searcher.search(q, &TopDocs::with_limit(depth).order_by_score())?.iter().enumerate() {
            let d: TantivyDocument = searcher.doc(*at)?;
            writeln!(out, "{name} Q0 {} {} {score} tantivy", d.get_first(id).and_then(|v| v.as_str()).unwrap_or(""), rank + 1)?;
        }
    }
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = cpu();
        for i in 0..times {
            searcher.search(&asked[i % asked.len()].1, &TopDocs::with_limit(depth).order_by_score())?;
        }
        best = best.min(cpu() - start);
    }
    println!("tantivy\t{bytes}\t{built:.3}\t{best:.3}");
    Ok(())
}
