import { useI18n } from '../i18n/i18n.tsx'
import { useClock } from './use-clock.ts'

export function Time({ at }: { at: string }) {
  const { relative, dateTime } = useI18n()
  useClock()
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at)}
    </time>
  )
}
