import { CircleAlert, CircleCheck, CircleSlash, Clock } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Lines } from '../../ui/lines.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { UploadItem } from './upload-item.ts'

const STATE = 'inline-flex items-center gap-1.5'

/** How far a file has come. @param isLone The form tells why a single file failed. */
export function UploadStateWords({ item, isLone }: { item: UploadItem; isLone: boolean }) {
  switch (item.state) {
    case 'chosen':
      return null
    case 'waiting':
      return (
        <span className={STATE}>
          <Clock aria-hidden size={14} />
          {m.upload_waiting()}
        </span>
      )
    case 'uploading':
      return <span>{m.upload_uploading()}</span>
    case 'checking':
      return (
        <span className={STATE}>
          <Spinner />
          {m.content_checking()}
        </span>
      )
    case 'done':
      return (
        <span className={`${STATE} text-ok`}>
          <CircleCheck aria-hidden size={14} />
          {m.upload_done()}
        </span>
      )
    case 'failed':
      return (
        <span className={`${STATE} text-seal`}>
          <CircleAlert aria-hidden size={14} className="shrink-0" />
          <span>
            <Lines text={isLone ? m.upload_failed() : (item.problem ?? m.upload_failed())} />
          </span>
        </span>
      )
    case 'cancelled':
      return (
        <span className={STATE}>
          <CircleSlash aria-hidden size={14} className="shrink-0" />
          {isLone ? m.upload_cancelled() : m.content_upload_cancelled()}
        </span>
      )
  }
}
