import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { focusFileChoice } from '../../ui/focus-file-choice.ts'
import { isIdle, isInFlight, isLone, type UploadQueue, type UploadReport } from './upload-item.ts'
import { cancelAll, clearIdle, type Room } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'

export interface UploadListProps {
  collectionId: number
  queue: UploadQueue
  room: Room
  titleProblems: Partial<Record<number, string>>
}

/** The chosen files in their order, and how far each has come. */
export function UploadList({ collectionId, queue, room, titleProblems }: UploadListProps) {
  const { items, isRunning, report } = queue
  const lone = isLone(queue)
  return (
    <div className="grid gap-2 empty:hidden">
      {/* Says how a round begins and ends; what happens to each file is for those who look for it. */}
      <output className="text-sm text-ink-2 empty:sr-only">
        {isRunning && !lone ? m.uploads_running() : report && sayReport(report)}
      </output>
      {items.length > 0 && (
        <ol aria-label={m.uploads_label()} className="divide-y divide-line border-y border-line">
          {items.map((item) => (
            <UploadRow
              key={item.id}
              collectionId={collectionId}
              item={item}
              queue={queue}
              room={room}
              isLone={lone}
              titleProblem={titleProblems[item.id]}
            />
          ))}
        </ol>
      )}
      {!lone && (
        <div className="flex flex-wrap justify-end gap-2 empty:hidden">
          {items.filter(isInFlight).length > 1 && (
            <Button
              onClick={() => {
                cancelAll(collectionId)
                focusFileChoice()
              }}
            >
              {m.uploads_cancel_all()}
            </Button>
          )}
          {items.filter(isIdle).length > 1 && (
            <Button
              onClick={() => {
                clearIdle(collectionId)
                focusFileChoice()
              }}
            >
              {m.uploads_clear()}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function sayReport({ added, failed, cancelled }: UploadReport): string {
  const parts = [m.uploads_added({ count: added })]
  if (failed > 0) parts.push(m.uploads_failed({ count: failed }))
  if (cancelled > 0) parts.push(m.uploads_cancelled({ count: cancelled }))
  return parts.join(' ')
}
