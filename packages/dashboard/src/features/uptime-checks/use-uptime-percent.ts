import { useMemo } from 'react'
import { numberFormat } from '../../i18n/formats.ts'
import { useI18n } from '../../i18n/i18n.tsx'

/** Rounded down, so that a short outage is not shown as 100%. */
export function useUptimePercent(): (value: number) => string {
  const { locale } = useI18n()
  return useMemo(() => {
    const format = numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
    return (value: number) => format.format(Math.floor(value * 100) / 10_000)
  }, [locale])
}
