import { useState } from 'react'

/** What stands behind the # of the address that was opened: of a link by mail, which no server and no log is told of it. Taken out of the address at once. */
export function useFragment(): string {
  const [fragment] = useState(() => location.hash.slice(1))
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return fragment
}
