/** Joins Tailwind classes; falsy ones are left out. */
export function joinClasses(...classes: (string | false | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}
