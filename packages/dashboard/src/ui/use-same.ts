import { useCallback, useEffect, useRef } from 'react'

/** A handler that stays the same while what it does changes: rows that are memoized are not drawn for it. Not to be called while drawing. */
export function useSame<Input>(handle: (input: Input) => void): (input: Input) => void {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  return useCallback((input) => latest.current(input), [])
}
