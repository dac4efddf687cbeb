import {
  CONTRADICTIONS,
  isContradiction,
  MAX_CASES,
  type FindingDetails,
  type LogFinding,
  type LogFindingCode,
} from './log-findings.ts'

/** Where findings are gathered. */
export interface Findings {
  add(code: LogFindingCode, details: FindingDetails): void
  /** Contradictions first, in their own order, then the others in the order in which they were met. */
  list(): LogFinding[]
}

/** Begins without a finding; its memory is bounded by the number of codes. */
export function openFindings(): Findings {
  const found = new Map<LogFindingCode, LogFinding>()
  return {
    add(code, details) {
      const finding = found.get(code) ?? { code, count: 0, cases: [] }
      finding.count += 1
      if (finding.cases.length < MAX_CASES) finding.cases.push(details)
      found.set(code, finding)
    },
    list() {
      const all = [...found.values()]
      const convicting = CONTRADICTIONS.map((code) => found.get(code)).filter((finding) => finding !== undefined)
      return [...convicting, ...all.filter(({ code }) => !isContradiction(code))]
    },
  }
}
