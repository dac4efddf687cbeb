import type { Registry } from 'prom-client'

/** What several processes measure of themselves, told as one. */
export interface SharedMetrics {
  /** What this process measures. */
  share(own: Registry[]): void
  /** @returns the sums over all processes, in the text format of Prometheus. @throws AppError `busy` */
  gather(): Promise<string>
}
