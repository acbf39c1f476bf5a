import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schema } from '../../api/client.ts'
import { useLive } from '../../live/use-live.ts'
import {
  containersNow,
  containersNowKey,
  type ContainersNow,
  serverNow,
  type ServerNow,
  serverNowKey
} from './monitoring.queries.ts'

const outdatedAfterMs = 5_000

/** Writes live metrics into the query cache; queries poll at this interval only while the live channel is down. */
export function useLiveMetrics(): { refetchInterval: number | false } {
  const client = useQueryClient()
  const { live, state } = useLive()
  useEffect(
    () =>
      live.follow('metrics', {
        input: () => ({}),
        on: {
          'metrics:server': (metrics: Schema<'ServerMetrics'>) => {
            client.setQueryData<ServerNow>(serverNowKey, (before) => serverNow(before, metrics))
          },
          'metrics:containers': (metrics: Schema<'ContainerMetric'>[]) => {
            client.setQueryData<ContainersNow>(containersNowKey, (before) => containersNow(before, metrics))
          }
        }
      }),
    [client, live]
  )
  return { refetchInterval: state === 'away' ? outdatedAfterMs : false }
}
