package io.lakexpress.watermark;

/** Reads names, quoted or not, and separators from the front of a text. */
final class NameScanner {
  private final String text;
  private final String thing;
  private final String expected;
  private int position;

  NameScanner(String text, String thing, String expected) {
    this.text = text;
    this.thing = thing;
    this.expected = expected;
  }

  /** The name up to a separator; blanks around it do not belong to it unless quoted. */
  Name name(String separators) {
    skipBlanks();
    if (position < text.length() && text.charAt(position) == '"') {
      return quotedName();
    }
    int start = position;
    while (position < text.length() && separators.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    String name = text.substring(start, position).strip();
    if (name.isEmpty()) {
      throw invalid("a name is missing at position " + (start + 1));
    }
    if (name.indexOf('"') >= 0) {
      throw invalid("a double quote stands inside the unquoted name " + name);
    }
    return new Name(name, false);
  }

  private Name quotedName() {
    int start = position++;
    StringBuilder name = new StringBuilder();
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c != '"') {
        name.append(c);
      } else if (position < text.length() && text.charAt(position) == '"') {
        name.append('"');
        position++;
      } else if (name.isEmpty()) {
        throw invalid("a quoted name is empty at position " + (start + 1));
      } else {
        skipBlanks();
        return new Name(name.toString(), true);
      }
    }
    throw invalid("the double quote at position " + (start + 1) + " is not closed");
  }

  private void skipBlanks() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  void expect(char separator) {
    if (position >= text.length() || text.charAt(position) != separator) {
      throw invalid("'" + separator + "' is missing at position " + (position + 1));
    }
    position++;
  }

  void expectEnd() {
    if (position != text.length()) {
      throw invalid("'" + text.substring(position) + "' is left over");
    }
  }

  String rest() {
    String rest = text.substring(position);
    position = text.length();
    return rest;
  }

  IllegalArgumentException invalid(String reason) {
    return new IllegalArgumentException(
        "Invalid " + thing + ": " + reason + "; expected " + expected);
  }
}
