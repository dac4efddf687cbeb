/** 0 or 1: SQLite has no boolean, so both databases store the same small integer. */
export type Flag = 0 | 1
