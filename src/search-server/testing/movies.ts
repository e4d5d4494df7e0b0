/** A few films and books, few enough to know what a search must find. */
export const FILMS = [
  {
    id: 2,
    title: "Ariel",
    overview: "A miner from the north takes his old car south, and there are thieves on the way.",
    genres: ["Drama", "Crime", "Comedy"],
    released: 593395200,
    cast: [{ name: "hello world" }, { name: "hello world" }],
    studio: { id: 1, name: "One two" },
    nothing: null,
  },
  {
    id: 5,
    title: "Four Rooms",
    overview: "It's the first night of a bellboy, and the guests of four rooms give him no rest.",
    genres: ["Crime", "Comedy"],
    released: 818467200,
  },
  {
    id: 6,
    title: "Judgment Night",
    overview: "While racing to a fight four friends lose their way; they are hunted through the streets.",
    genres: ["Action", "Thriller", "Crime"],
    released: 750643200,
  },
  {
    id: 11,
    title: "Star Wars",
    overview: "A princess is held by the empire. Young Luke Skywalker and the captain Han Solo set out.",
    genres: ["Adventure", "Action", "Science Fiction"],
    released: 233366400,
  },
  {
    id: 30,
    title: "Magnetic Rose",
    overview: "",
    genres: ["Animation", "Science Fiction"],
    released: 819676800,
  },
  { id: 24, title: "Kill Bill: Vol. 1", overview: null, genres: ["Action", "Crime"], released: 1065744000 },
];

export const BOOKS = [
  { id: 123, title: "Pride and Prejudice", comment: "A great book", genre: "romance" },
  {
    id: 456,
    title: "Le Petit Prince",
    comment: "A french book about a prince that walks on little cute planets",
    genre: "adventure",
  },
  { id: 2, title: "Le Rouge et le Noir", comment: "Another french book", genre: "romance" },
  { id: 1, title: "Alice In Wonderland", comment: "A weird book", genre: "adventure" },
  { id: 1344, title: "The Hobbit", comment: "An awesome book", genre: "sci fi" },
  { id: 4, title: "Harry Potter and the Half-Blood Prince", comment: "The best book", genre: "fantasy" },
  { id: 42, title: "The Hitchhiker's Guide to the Galaxy", genre: "fantasy" },
];

export const HEROES = [
  { id: "1", title: "Shazam!" },
  { id: "2", title: "Captain Planet" },
  { id: "3", title: "Captain Marvel" },
  { id: "4", title: "a Captain Marvel ersatz" },
  { id: "5", title: "He's not part of the Marvel Cinematic Universe" },
  { id: "6", title: "a Shazam ersatz, but better than Captain Planet" },
  { id: "7", title: "Capitain CAAAAAVEEERNE!!!!" },
];
