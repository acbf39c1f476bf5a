import { memo, useMemo } from 'react'
import { parseAnsi } from './ansi.ts'
import classes from './log-line.module.css'
import { markMatches } from './marks.ts'

const emphases = [
  { pattern: /^(FAILED|ERROR|error|npm ERR!|npm error)\b/, name: 'bad' },
  { pattern: /^(warning|WARN|Note:)/i, name: 'warn' },
  { pattern: /^(Step \d+\/\d+ :|Commit |Starting |Waiting |Serving |Found )/, name: 'step' },
  { pattern: /^( ---> |Removing intermediate)/, name: 'noise' }
] as const

export const LogLine = memo(function LogLine({ text, find }: { text: string; find: string }) {
  const spans = useMemo(() => markMatches(parseAnsi(text), find), [text, find])
  return (
    <span className={classes.text} data-emphasis={emphases.find(({ pattern }) => pattern.test(text))?.name}>
      {spans.map(({ text: part, isMatch, classes: names, color, background }, at) =>
        isMatch ? (
          <mark key={at}>{part}</mark>
        ) : (
          <span key={at} className={names.map((name) => classes[name]).join(' ')} style={{ color, background }}>
            {part}
          </span>
        )
      )}
      {'\n'}
    </span>
  )
})
