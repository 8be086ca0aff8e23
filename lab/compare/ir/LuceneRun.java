import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.FSDirectory;

/**
 * Indexes words that were cut already with Lucene, asks queries, writes a run and
 * what it took: LuceneRun DOCS QUERIES INDEX ql:MU|bm25:K1,B DEPTH TIMES RUN
 */
public final class LuceneRun {
  public static void main(String[] args) throws IOException {
    Path docs = Path.of(args[0]), queries = Path.of(args[1]), index = Path.of(args[2]);
    String[] spec = args[3].split("[:,]");
    int depth = Integer.parseInt(args[4]), times = Integer.parseInt(args[5]);
    Similarity similarity = spec[0].equals("ql")
        ? new LMDirichletSimilarity(Float.parseFloat(spec[1]))
        : new BM25Similarity(Float.parseFloat(spec[1]), Float.parseFloat(spec[2]));
    try (FSDirectory dir = FSDirectory.open(index)) {
      long start = cpu();
      IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
      config.setSimilarity(similarity);
      config.setUseCompoundFile(false);
      config.setMergePolicy(new LogDocMergePolicy()); // keeps documents in order, by which equal scores are ranked
      try (IndexWriter writer = new IndexWriter(dir, config); BufferedReader in = Files.newBufferedReader(docs)) {
        for (String line; (line = in.readLine()) != null; ) {
          int tab = line.indexOf('\t');
          Document d = new Document();
          d.add(new StoredField("id", line.substring(0, tab)));
          d.add(new TextField("text", line.substring(tab + 1), Field.Store.NO));
          writer.addDocument(d);
        }
        writer.forceMerge(1);
      }
      double built = (cpu() - start) / 1e9;
      long bytes = 0;
      for (String f : dir.listAll()) {
        bytes += dir.fileLength(f);
      }
      List<String> ids = new ArrayList<>();
      List<Query> asked = new ArrayList<>();
      for (String line : Files.readAllLines(queries, StandardCharsets.UTF_8)) {
        int tab = line.indexOf('\t');
        ids.add(line.substring(0, tab));
        asked.add(query(line.substring(tab + 1)));
      }
      try (DirectoryReader reader = DirectoryReader.open(dir);
          PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[6])))) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        searcher.setQueryCache(null);
        StoredFields stored = searcher.storedFields();
        for (int i = 0; i < ids.size(); i++) {
          int rank = 0;
          for (ScoreDoc hit : searcher.search(asked.get(i), depth).scoreDocs) {
            out.printf(Locale.ROOT, "%s Q0 %s %d %.9g lucene%n", ids.get(i), stored.document(hit.doc).get("id"), ++rank, (double) hit.score);
          }
        }
        // Each round counts once the compiler has seen the queries.
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 3 && times > 0; round++) {
          start = cpu();
          for (int i = 0; i < times; i++) {
            searcher.search(asked.get(i % asked.size()), depth);
          }
          best = Math.min(best, (cpu() - start) / 1e9);
        }
        System.out.printf(Locale.ROOT, "lucene\t%d\t%.3f\t%.3f%n", bytes, built, times > 0 ? best : 0);
      }
    }
  }

  /** Each word once, with how often it stands in the query. */
  private static Query query(String text) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String w : text.split(" ")) {
      if (!w.isEmpty()) {
        counts.merge(w, 1, Integer::sum);
      }
    }
    BooleanQuery.Builder b = new BooleanQuery.Builder();
    counts.forEach((w, n) -> {
      Query q = new TermQuery(new Term("text", w));
      b.add(n > 1 ? new BoostQuery(q, n) : q, BooleanClause.Occur.SHOULD);
    });
    return b.build();
  }

  /** Processor time of the whole program, its compiler and collector too. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }
}
