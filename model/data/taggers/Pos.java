import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import opennlp.tools.postag.POSModel;
import opennlp.tools.postag.POSTagFormat;
import opennlp.tools.postag.POSTaggerME;

/**
 * Pos tags sentences of standard input, one a line with spaces between words, with a model of
 * OpenNLP. It prints the words and their tags, one word a line, and an empty line after a sentence.
 * Its class path needs opennlp-tools and slf4j-api.
 */
public class Pos {
  public static void main(String[] args) throws Exception {
    POSTaggerME tagger = new POSTaggerME(new POSModel(new File(args[0])), POSTagFormat.UD);
    BufferedReader r = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintWriter w = new PrintWriter(new OutputStreamWriter(new BufferedOutputStream(System.out, 1 << 20), StandardCharsets.UTF_8));
    for (String line; (line = r.readLine()) != null;) {
      String[] words = line.split(" ");
      String[] tags = tagger.tag(words);
      for (int i = 0; i < words.length; i++) {
        w.print(words[i] + "\t" + tags[i] + "\n");
      }
      w.print("\n");
    }
    w.flush();
  }
}
