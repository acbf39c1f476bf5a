/** The session of a process from /proc/<pid>/stat; undefined for a zombie, which has already ended. */
export function sessionIn(stat: string): number | undefined {
  // The name in parentheses may contain spaces and parentheses.
  const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : Number(session)
}
