import { Link, type LinkProps } from 'react-router'

/** A link within a sentence. */
export function TextLink(props: Omit<LinkProps, 'className'>) {
  return <Link {...props} className="font-[560] text-brand underline underline-offset-3 hover:decoration-2" />
}
