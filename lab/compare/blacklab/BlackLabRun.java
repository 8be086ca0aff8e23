import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

import nl.inl.blacklab.index.DocumentFormats;
import nl.inl.blacklab.index.Indexer;
import nl.inl.blacklab.indexers.config.ConfigInputFormat;
import nl.inl.blacklab.queryParser.corpusql.CorpusQueryLanguageParser;
import nl.inl.blacklab.search.BlackLab;
import nl.inl.blacklab.search.BlackLabIndex;
import nl.inl.blacklab.search.BlackLabIndexWriter;
import nl.inl.blacklab.search.indexmetadata.MatchSensitivity;
import nl.inl.blacklab.search.results.Hits;
import nl.inl.blacklab.search.results.QueryInfo;
import nl.inl.blacklab.search.results.SearchSettings;
import nl.inl.util.LuceneUtil;
import org.apache.lucene.search.Query;

/**
 * Builds a BlackLab index of a vertical, or counts the hits of queries in one.
 *
 *   BlackLabRun index INDEX FORMAT.blf.yaml VERTICAL
 *   BlackLabRun count INDEX QUERIES
 *
 * QUERIES has a query a line, optionally a tab and a Lucene query for the
 * metadata of documents. For each, hits, documents with hits and milliseconds
 * (best of 5, no cache of results) are printed, -1 for a query that fails.
 * Searches mind case and diacritics unless a query says otherwise.
 */
public class BlackLabRun {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "index" -> {
                index(new File(args[1]), new File(args[2]), new File(args[3]));
                size(new File(args[1]));
            }
            case "count" -> count(new File(args[1]), Path.of(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0); // BlackLab leaves threads running
    }

    static void index(File dir, File formatFile, File vertical) throws Exception {
        ConfigInputFormat format = new ConfigInputFormat(formatFile);
        DocumentFormats.add(format);
        BlackLabIndexWriter writer = BlackLab.openForWriting(dir, true, format.getName(), null, null);
        Indexer indexer = Indexer.create(writer, format.getName());
        writer.metadata().setDocumentFormat(format.getName());
        indexer.index(vertical);
        indexer.close();
    }

    static void size(File dir) throws Exception {
        try (BlackLabIndex index = BlackLab.open(dir)) {
            System.out.println(index.metadata().documentCount() + " documents, " + index.metadata().tokenCount() + " tokens");
        }
    }

    static void count(File dir, Path queries) throws Exception {
        try (BlackLabIndex index = BlackLab.open(dir)) {
            index.setDefaultMatchSensitivity(MatchSensitivity.SENSITIVE);
            for (String line : Files.readAllLines(queries)) {
                if (line.isBlank()) {
                    continue;
                }
                String[] f = line.split("\t");
                Query filter = f.length > 1 ? LuceneUtil.parseLuceneQuery(index, f[1], index.analyzer(), "") : null;
                long hits = -1;
                long docs = -1;
                double best = Double.MAX_VALUE;
                try {
                    for (int i = 0; i < 5; i++) {
                        long began = System.nanoTime();
                        Hits found = find(index, f[0], filter);
                        hits = found.size();
                        best = Math.min(best, (System.nanoTime() - began) / 1e6);
                        docs = found.docsStats().countedTotal();
                    }
                } catch (Exception e) {
                    System.err.println(line + ": " + e);
                }
                System.out.printf("%d\t%d\t%.1f%n", hits, docs, best);
            }
        }
    }

    static Hits find(BlackLabIndex index, String query, Query filter) throws Exception {
        var field = index.mainAnnotatedField();
        var pattern = CorpusQueryLanguageParser.parse(query);
        var span = pattern.toQuery(QueryInfo.create(index, field), filter, false, false);
        return index.find(QueryInfo.create(index, field, false), span, SearchSettings.get(Long.MAX_VALUE, Long.MAX_VALUE));
    }
}
