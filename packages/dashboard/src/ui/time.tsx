import { useI18n } from '../i18n/i18n.tsx'

/** Relative; the exact one, in the reader's zone, on hover and for screen readers. */
export function Time({ at }: { at: string }) {
  const { relative, dateTime } = useI18n()
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at)}
    </time>
  )
}
