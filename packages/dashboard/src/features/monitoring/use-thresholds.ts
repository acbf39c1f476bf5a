import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../settings/settings.queries.ts'

const variables = { cpu: 'ALERT_CPU_PERCENT', ram: 'ALERT_RAM_PERCENT', disk: 'ALERT_DISK_PERCENT' } as const
export type Measured = keyof typeof variables

/** Alert thresholds in percent; empty until loaded. */
export function useThresholds(): Partial<Record<Measured, number>> {
  const { data } = useQuery({ ...settingsQuery, staleTime: 60_000 })
  return Object.fromEntries(
    Object.entries(variables).flatMap(([measured, name]) => {
      const value = Number(data?.variables?.find((variable) => variable.name === name)?.value ?? NaN)
      return Number.isFinite(value) ? [[measured, value]] : []
    })
  )
}
