import { UserText } from './user-text.tsx'

/** Stands where the text goes while the sentence is put together; no catalogue and no person writes it. */
const PLACE = '\u{FFFFD}'

/** A sentence of the catalogue with text a person typed in it, kept apart from the direction of the words around it. */
export function Sentence({ say, text }: { say: (place: string) => string; text: string }) {
  const [before, after = ''] = say(PLACE).split(PLACE)
  return (
    <>
      {before}
      <UserText>{text}</UserText>
      {after}
    </>
  )
}
