import de.jplag.JPlag;
import de.jplag.options.JPlagOptions;
import de.jplag.text.NaturalLanguage;
import java.io.File;
import java.util.Set;

/** Compares the files of a folder with JPlag's module for natural language, and prints each pair with its equal tokens. */
public class ListPairs {
  public static void main(String[] args) throws Exception {
    var options = new JPlagOptions(new NaturalLanguage(), Set.of(new File(args[0])), Set.of())
      .withMaximumNumberOfComparisons(JPlagOptions.SHOW_ALL_COMPARISONS);
    for (var pair : JPlag.run(options).getAllComparisons()) {
      int tokens = pair.getNumberOfMatchedTokens();
      if (tokens > 0)
        System.out.println(pair.firstSubmission().getName() + "\t" + pair.secondSubmission().getName() + "\t" + tokens);
    }
  }
}
