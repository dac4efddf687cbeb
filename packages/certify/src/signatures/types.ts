/** What the mathematics of one signature say. */
export type Judgement = 'holds' | 'broken' | 'unknown'
