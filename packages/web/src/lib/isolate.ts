/** Keeps the direction of what a person typed apart from that of the words around it (UAX #9, FSI and PDI). */
export const isolate = (text: string) => `\u2068${text}\u2069`
