import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** `all`: none of the fields is to blame. */
interface Problem {
  at: 'password' | 'otp' | 'all'
  text: string
}

/** What somebody types to show that an account is theirs, and what was wrong with it. */
export function useProof() {
  const [typed, setTyped] = useState({ password: '', otp: '' })
  const [problem, setProblem] = useState<Problem>()
  return {
    ...typed,
    problem,
    setProblem,
    type: (part: Partial<typeof typed>) => {
      setTyped((before) => ({ ...before, ...part }))
      setProblem(undefined)
    },
    /** Says which of these fields is empty. @returns whether none is */
    isComplete: (...fields: (keyof typeof typed)[]) => {
      const gap = fields.find((field) => typed[field].trim() === '')
      setProblem(gap && { at: gap, text: m.field_required() })
      return gap === undefined
    },
  }
}

/** Which field the server refused. */
export function toProblem(error: unknown, fallback: string): Problem {
  const code = error instanceof ApiError ? error.body.code : undefined
  const at = code?.startsWith('two_factor') ? 'otp' : code === 'password_wrong' ? 'password' : 'all'
  return { at, text: wordsOf(error, fallback) }
}

interface ProofFieldsProps {
  proof: ReturnType<typeof useProof>
  /** Undefined: no password is asked for. */
  passwordLabel: string | undefined
  asksCode: boolean
}

/** Fields for a password and a second-factor code, as far as they are asked for. */
export function ProofFields({ proof, passwordLabel, asksCode }: ProofFieldsProps) {
  const { password, otp, problem, type } = proof
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const form = place.current?.closest('form')
    if (problem && form) focusFirstFault(form)
  }, [problem])
  return (
    <div ref={place} className="grid gap-4 empty:hidden">
      {passwordLabel !== undefined && (
        <PasswordField
          label={passwordLabel}
          autoComplete="current-password"
          required
          error={problem?.at === 'password' ? problem.text : undefined}
          value={password}
          onChange={({ target }) => type({ password: target.value })}
        />
      )}
      {asksCode && (
        <TextField
          label={m.two_factor_code()}
          hint={m.two_factor_code_hint()}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          className="font-mono"
          error={problem?.at === 'otp' ? problem.text : undefined}
          value={otp}
          onChange={({ target }) => type({ otp: target.value })}
        />
      )}
    </div>
  )
}
