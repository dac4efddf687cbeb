import { TitleType } from '@proofdesk/contract/contents'
import { CONTENT_TITLE_MAX_LENGTH } from '@proofdesk/contract/limits'
import { m } from '../../paraglide/messages.js'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import type { TitleChoice } from './upload-item.ts'

export interface TitleFieldsProps {
  /** Name of the one file it is about; absent where it is for all. */
  file?: string
  choice: TitleChoice
  error: string | undefined
  onChange: (choice: TitleChoice) => void
}

/** TYPE1 and TYPE2 are their own titles; only OTHER asks for one (specification section 5). */
export function TitleFields({ file, choice, error, onChange }: TitleFieldsProps) {
  const { titleType, title } = choice
  return (
    <>
      <SelectField
        label={file === undefined ? m.content_title_type() : m.content_title_type_of({ file })}
        labelHidden={file !== undefined}
        value={titleType}
        onChange={({ target }) => onChange({ ...choice, titleType: TitleType.parse(target.value) })}
      >
        {TitleType.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
      {titleType === 'OTHER' && (
        <TextField
          label={file === undefined ? m.content_title_label() : m.content_title_of({ file })}
          labelHidden={file !== undefined}
          hint={file === undefined && m.content_title_hint({ max: CONTENT_TITLE_MAX_LENGTH })}
          placeholder={file === undefined ? undefined : m.content_title_label()}
          required
          autoComplete="off"
          value={title}
          error={error}
          onChange={({ target }) => onChange({ ...choice, title: target.value })}
        />
      )}
    </>
  )
}
