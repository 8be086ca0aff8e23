import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import nl.inl.blacklab.resultproperty.HitProperty;
import nl.inl.blacklab.resultproperty.HitPropertyAfterHit;
import nl.inl.blacklab.resultproperty.HitPropertyHitText;
import nl.inl.blacklab.search.BlackLab;
import nl.inl.blacklab.search.BlackLabIndex;
import nl.inl.blacklab.search.indexmetadata.MatchSensitivity;
import nl.inl.blacklab.search.results.ContextSize;
import nl.inl.blacklab.search.results.Hits;

/**
 * Builds a BlackLab index of a vertical, or answers queries from standard input without the cache of
 * results.
 *
 *   QueryRun index INDEX FORMAT.blf.yaml VERTICAL
 *   QueryRun query INDEX
 *
 * A query is a line: an operation, a tab, and CQL. The answer is a line. The operations are count (the
 * number of hits), sort (the number of hits, after the first 20 sorted by the words after them are read
 * with their text), and freq (the number of different texts of the hits).
 */
public class QueryRun {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "index" -> BlackLabRun.index(new File(args[1]), new File(args[2]), new File(args[3]));
            case "query" -> query(new File(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0); // BlackLab leaves threads running
    }

    static void query(File dir) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (BlackLabIndex index = BlackLab.open(dir)) {
            index.setDefaultMatchSensitivity(MatchSensitivity.SENSITIVE);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] f = line.split("\t");
                try {
                    out.println(answer(index, f[0], f[1]));
                } catch (Exception e) {
                    out.println(e.toString().replace("\n", " "));
                }
            }
        }
    }

    static long answer(BlackLabIndex index, String operation, String cql) throws Exception {
        var field = index.mainAnnotatedField();
        Hits hits = BlackLabRun.find(index, cql, null);
        switch (operation) {
            case "count":
                return hits.size();
            case "sort":
                HitProperty after = new HitPropertyAfterHit(index, field.mainAnnotation(), MatchSensitivity.INSENSITIVE);
                Hits first = hits.sort(after).window(0, 20);
                first.kwics(ContextSize.get(8, 8, false, Integer.MAX_VALUE)).get(first.get(0));
                return hits.size();
            case "freq":
                HitProperty text = new HitPropertyHitText(index, field.mainAnnotation(), MatchSensitivity.SENSITIVE);
                return hits.group(text, 0).size();
            default:
                throw new IllegalArgumentException(operation);
        }
    }
}
