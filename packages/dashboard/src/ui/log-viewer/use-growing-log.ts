import { useEffect, useState } from 'react'
import { LogBuffer } from './log-buffer.ts'

/** The API gives at most so much of a log, its end. */
const keptCharacters = 1024 * 1024

/** A buffer that is told of what is new in a text which is asked for again and again. */
export function useGrowingLog(text: string): LogBuffer {
  const [buffer] = useState(() => new LogBuffer())
  useEffect(() => buffer.show(text, text.length >= keptCharacters), [buffer, text])
  return buffer
}
