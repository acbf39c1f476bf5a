const maxLength = 56

/** A name for a database of this project, valid in both engines: `my-shop` becomes `my_shop`, and then `my_shop_2`. */
export function suggestedName(project: string, taken: readonly { name: string }[]): string {
  const base = project.replaceAll(/[^a-zA-Z0-9_]+/g, '_').slice(0, maxLength)
  if (base === '') return ''
  const isTaken = (name: string) => taken.some((each) => each.name === name)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}_${n}`
    if (!isTaken(name)) return name
  }
}
