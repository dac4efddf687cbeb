import { TitleType } from '@proofdesk/contract/contents'
import { CONTENT_TITLE_MAX_LENGTH } from '@proofdesk/contract/limits'
import { m } from '../../paraglide/messages.js'
import { SelectField, TextField } from '../../ui/text-field.tsx'

export interface TitleFieldsProps {
  titleType: TitleType
  title: string
  error: string | undefined
  disabled: boolean
  onTitleType: (titleType: TitleType) => void
  onTitle: (title: string) => void
}

/** TYPE1 and TYPE2 are their own titles; only OTHER asks for one (specification section 5). */
export function TitleFields({ titleType, title, error, disabled, onTitleType, onTitle }: TitleFieldsProps) {
  return (
    <>
      <SelectField
        label={m.content_title_type()}
        value={titleType}
        disabled={disabled}
        onChange={({ target }) => onTitleType(TitleType.parse(target.value))}
      >
        {TitleType.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
      {titleType === 'OTHER' && (
        <TextField
          label={m.content_title_label()}
          hint={m.content_title_hint({ max: CONTENT_TITLE_MAX_LENGTH })}
          required
          autoComplete="off"
          value={title}
          error={error}
          disabled={disabled}
          onChange={({ target }) => onTitle(target.value)}
        />
      )}
    </>
  )
}
