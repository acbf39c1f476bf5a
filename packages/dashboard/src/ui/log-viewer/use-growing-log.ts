import { useEffect, useState } from 'react'
import { LogBuffer } from './log-buffer.ts'

/** The API returns at most this much of the end of a log. */
const keptCharacters = 1024 * 1024

export function useGrowingLog(text: string): LogBuffer {
  const [buffer] = useState(() => new LogBuffer())
  useEffect(() => buffer.show(text, text.length >= keptCharacters), [buffer, text])
  return buffer
}
