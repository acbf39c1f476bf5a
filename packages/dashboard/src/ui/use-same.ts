import { useCallback, useEffect, useRef } from 'react'

/** Event handler with a stable identity, so that memoized rows do not re-render. Do not call it while rendering. */
export function useSame<Input>(handle: (input: Input) => void): (input: Input) => void {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  return useCallback((input) => latest.current(input), [])
}
