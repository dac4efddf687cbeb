/** Where a descriptor keeps the program of a font, in the order of the reviewer's reader (ISO 32000-2 table 124). */
export const PROGRAM_ENTRIES = ['FontFile', 'FontFile2', 'FontFile3']
