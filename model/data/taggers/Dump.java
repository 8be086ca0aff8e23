import java.io.BufferedOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import morfologik.stemming.Dictionary;
import morfologik.stemming.DictionaryLookup;
import morfologik.stemming.WordData;

/**
 * Dump prints the entries of a morfologik dictionary: form, lemma and tag, separated by tabs.
 * Its class path needs morfologik-stemming and morfologik-fsa.
 */
public class Dump {
  public static void main(String[] args) throws Exception {
    Dictionary d = Dictionary.read(Paths.get(args[0]));
    PrintWriter w = new PrintWriter(new OutputStreamWriter(new BufferedOutputStream(System.out, 1 << 20), StandardCharsets.UTF_8));
    for (WordData x : new DictionaryLookup(d)) {
      w.print(x.getWord() + "\t" + x.getStem() + "\t" + x.getTag() + "\n");
    }
    w.flush();
  }
}
