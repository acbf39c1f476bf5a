import { styleText } from 'node:util'
import type { Context } from './context.ts'

/** Plain text unless the stream is a terminal; NO_COLOR turns colour off (no-color.org). */
export function paint(
  { env }: Pick<Context, 'env'>,
  stream: { isTTY?: boolean },
  style: 'red' | 'green' | 'dim' | 'bold',
  text: string
): string {
  const isPlain = stream.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  return isPlain ? text : styleText(style, text)
}
