/** The rows of "Write plain English" in `CONTRIBUTING.md` that a regular expression finds with next to no false alarm. */

export interface Pattern {
  /** A space stands for any white space, so that a phrase is found over the end of a line. */
  words: string;
  /** Only where a sentence begins. */
  isFirst?: true;
  /** What to write instead. */
  instead: string;
  /** Texts in which the pattern is found, and texts in which it is not. */
  found: readonly string[];
  plain: readonly string[];
}

export const PATTERNS: readonly Pattern[] = [
  {
    words: "Of (?!course)[a-z]+",
    isFirst: true,
    instead: 'the noun first: "A tag\'s digest", "The last day", "One of two writers"',
    found: ["Of a tag: its digest.", "It is durable. Of two writers the later one wins."],
    plain: ["The digest of a tag.", "Of course."],
  },
  {
    words:
      "(?<!\\b[Tt]?here )\\b(?:is|are|was|were) no (?!(?:longer|more|less|better|worse|other|such|one|different)\\b)[a-z]+",
    instead: '"is not a …"',
    found: ["X is no host name.", "the bodies are no messages"],
    plain: ["There is no page.", "it is no longer valid", "X is not a host name."],
  },
  {
    words: "\\b(?:(?:that|which|what) (?:is|are|was|were) none|is none of)\\b",
    instead: '"not a …", "an invalid …", "must be one of: …"',
    found: ["an entry that is none", "the value is none of: a, b"],
    plain: ["null if there is none"],
  },
  {
    words: "\\b(?:none|one) of ours\\b",
    instead: 'the noun: "not a file of this project"',
    found: ["whether it is one of ours"],
    plain: ["It imports nothing of ours."],
  },
  {
    words: "\\b(?:has|have|had) not (?:the|an?|its|their)\\b",
    instead: '"does not have the …", "is malformed"',
    found: ["It has not the form that Turborepo sends."],
    plain: ["It has not been read."],
  },
  {
    words: "\\banother [a-z]+ than\\b",
    instead: '"a different … from", "is not the … that"',
    found: ["another checksum than the file's"],
    plain: ["another checksum, longer than this one"],
  },
  {
    words: "(?:Whoever|Whom)(?= [a-z])",
    isFirst: true,
    instead: 'the noun: "Anyone with the link", "A caller that …"',
    found: ["Whoever has the link can read it."],
    plain: ["Ask whoever runs this server."],
  },
  {
    words: "\\b(?:such an? one|further ones)\\b",
    instead: "the noun again",
    found: ["such a one", "further ones follow"],
    plain: ["such a page", "further pages follow"],
  },
  {
    words: "\\bother way (?:a)?round\\b",
    instead: '"the reverse", or both directions in words',
    found: ["The server knows it, but not the other way round."],
    plain: ["There is no other way."],
  },
  {
    words: "\\bst(?:ands?|ood) (?:on|in) (?:the(?! way)|an?|each|every)\\b",
    instead: '"is on the …", "is in the …"',
    found: ["its row stands on the page"],
    plain: ["It stands on its own.", "what stands in the way"],
  },
  {
    words: "\\b(?:is|are) away\\b",
    instead: '"is unreachable"',
    found: ["a server that is away"],
    plain: ["It is taken away.", "a reader who was away too long"],
  },
  {
    words: "\\basks? nothing\\b",
    instead: '"does not prompt", "sends no request"',
    found: ["null asks nothing"],
    plain: ["It asks for nothing."],
  },
  {
    words: "\\b(?:is|are|was|were) told (?:of|so)\\b|\\b[Ll]ets? (?:you|them|us|it) know\\b",
    instead: '"is notified", "the log says", or what the answer is',
    found: ["The owner is told of it.", "It lets you know."],
    plain: ["clients that were told that it exists", "No one is told when to come back."],
  },
  {
    words: "(?<!\\b(?:[Nn]othing|no one) )\\b(?:has|have) to be\\b",
    instead: '"must be"',
    found: ["A new address has to be proved."],
    plain: ["A new address must be proved.", "Nothing has to be compiled.", "It had to be cut off."],
  },
  {
    words: "(?<=\\w )mend(?:s|ed|ing)?\\b(?!-)|\\bMend(?= [a-z])|\\bgood again\\b",
    instead: '"fix", "repair"',
    found: ["The build mends it.", "until it is good again"],
    plain: ["The build repairs it.", "They recommend it.", "/mended"],
  },
  {
    words: "(?<!what )\\bgo(?:es)? on\\b(?! (?:the|an?|its|to))",
    instead: '"continue"',
    found: ["The build goes on."],
    plain: ["what goes on here", "It goes on the page."],
  },
  {
    words: "\\bfor ever\\b",
    instead: '"forever"',
    found: ["It is kept for ever."],
    plain: ["It is kept forever."],
  },
  {
    // In a phrase: alone it is a name in a test.
    words:
      "(?<=[\\w,;.)] )(?:[Nn]o|[Ss]ome|[Ee]very)body\\b(?![-@/])|(?<![-/\\w])(?:[Nn]o|[Ss]ome|[Ee]very)body\\b(?=(?:'s)? [a-z])",
    instead: '"no one", "someone", "everyone", or the role',
    found: ["Nobody sees it.", "everybody's share"],
    plain: ["No one sees it.", "no body of a request", "nobody", "/orgs/nobody"],
  },
  {
    words: ", too(?=[.;:,)]|\\s*$)",
    instead: 'nothing, or "also" before the verb',
    found: ["The server has it, too.", "the server, too"],
    plain: ["The server also has it.", "a text, too long for a name"],
  },
];
