import { useLayoutEffect, useState } from 'react'

/** Reads the # part of the URL, which mail links use so that no server log sees the token, and removes it. */
export function useFragment(): string {
  const [fragment] = useState(() => location.hash.slice(1))
  // Not while rendering: React may discard a render and start again, which would then find nothing.
  useLayoutEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return fragment
}
