import { FileSearch } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/class-names.ts'
import { FileInput } from '../../ui/file-input.tsx'
import { useFileDrop } from '../../ui/use-file-drop.ts'

const ACCEPTED = 'application/pdf,image/jpeg,image/png,.pdf,.jpg,.jpeg,.png,.txt,.json'

interface FileCheckProps {
  isChecking: boolean
  onFile: (file: File) => void
  /** Where else to go. */
  children: ReactNode
}

/** Takes one file, by the browser's dialog or dropped, to be judged on this device. */
export function FileCheck({ isChecking, onFile, children }: FileCheckProps) {
  const input = useRef<HTMLInputElement>(null)
  const takeFirst = ([file]: File[]) => file && onFile(file)
  const { isOver, target } = useFileDrop(({ files }) => takeFirst(files))
  return (
    <section
      {...target}
      aria-labelledby="check-file"
      aria-busy={isChecking}
      className={joinClasses('sheet p-4 sm:p-5', isOver && 'border-brand')}
    >
      <h2 id="check-file" className="font-serif text-lg font-semibold">
        {m.verify_file_title()}
      </h2>
      <p className="mt-1 text-ink-2">{m.verify_file_text()}</p>
      <Button
        busy={isChecking}
        aria-describedby="check-file-hint"
        onClick={() => input.current?.click()}
        className="mt-3 w-full"
      >
        <FileSearch aria-hidden size={17} />
        {isChecking ? m.verify_file_checking() : isOver ? m.files_drop_now() : m.verify_file_choose()}
      </Button>
      <FileInput ref={input} label={m.verify_file_label()} accept={ACCEPTED} onFiles={takeFirst} />
      <p id="check-file-hint" className="mt-2 text-sm text-ink-2">
        {m.verify_file_label()}. {m.verify_file_hint()}
      </p>
      <p className="mt-3 text-sm">{children}</p>
    </section>
  )
}
