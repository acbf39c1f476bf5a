import { useMemo } from 'react'
import { numberFormat } from '../../i18n/formats.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { monitoringMessages } from './monitoring.messages.ts'

/** Memoized number formats, because charts redraw when a function changes. */
export function useChartFormats() {
  const { locale, bytes, number } = useI18n()
  const t = useMessages(monitoringMessages)
  return useMemo(
    () => ({
      percent: (value: number) =>
        numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100),
      bytes: (value: number) => bytes(Math.round(value)),
      rate: (value: number) => t('perSecond', { amount: bytes(Math.round(value)) }),
      count: (value: number) => number(Math.round(value * 10) / 10),
      ms: (value: number) =>
        value < 1_000 ? t('ms', { amount: number(Math.round(value)) }) : t('s', { amount: number(Math.round(value / 100) / 10) }) // oxfmt-ignore
    }),
    [locale, bytes, number, t]
  )
}
