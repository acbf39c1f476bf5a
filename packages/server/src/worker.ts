import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { areWritesCounted } from './db/table-writes.ts'
import type { Dependencies } from './dependencies.ts'
import { messageOf } from './text/message-of.ts'
import { schedulesOf } from './features/feature.ts'
import { followEdges } from './features/nodes/edges.service.ts'
import { probeMachines } from './features/nodes/machine-probe.service.ts'
import { watchEachMachine } from './features/nodes/watch-machines.service.ts'
import { label } from './infra/container-engine/labels.ts'
import { startJobs } from './worker/jobs-runner.ts'
import { createReconciler } from './worker/reconciler.ts'
import { openLeaseSession } from './worker/lease-session.ts'

// What is aborted ends within this time; what does not is left to the recovery of the next worker.
const stopLimitMs = 10_000

interface Worker {
  /** Stops: running builds and deployments fail with the reason; live containers keep running. */
  stop(): Promise<void>
}

/** Runs the features' jobs, schedules and reconcile steps, under a lease that tells others when this worker is gone. */
export async function startWorker(deps: Dependencies, databaseUrl: string): Promise<Worker> {
  const stopped = new AbortController()
  const reconciler = createReconciler(deps, await areWritesCounted(deps.db))
  const session = await openLeaseSession(deps, databaseUrl, stopped.signal)
  if (await session.isAlone()) {
    for (const { name, recover } of deps.features)
      await recover?.(deps).catch((error: unknown) =>
        deps.logger.warn({ feature: name, error: messageOf(error) }, 'recovery')
      )
  }
  const jobsInHand = await startJobs(deps, session.current, stopped.signal)

  const schedules = holdSchedules(deps)

  const endRetries = deps.programStates.onChange((_name, state) => {
    if (state === 'running') reconciler.retry()
  })
  const endSettings = deps.settings.onChange(() => reconciler.runEverything())
  const endEvents = deps.events.subscribe({
    onEvent(event) {
      if (event.to !== 'processes') return
      if (event.name === 'machine:changed') reconciler.runEverything()
      // Another process of the panel cannot start the programs of this one.
      if (event.name === 'program:used') void deps.programStates.use(event.data.name).catch(() => {}) // The process that asked tries again.
    }
  })
  const watching = watchEachMachine(
    deps,
    ({ engine, instanceId }, signal) =>
      engine.watchContainers({ [label.instance]: instanceId }, () => reconciler.containersChanged(), signal),
    stopped.signal
  )
  const probing = probeMachines(deps, session, stopped.signal)
  const following = followEdges(deps, session, stopped.signal)
  const reconciling = (async () => {
    while (!stopped.signal.aborted) {
      await session
        .renew()
        .then(() => reconciler.round(session.current()))
        .catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'reconcile'))
      await sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal: stopped.signal }).catch(() => {}) // Woken to stop.
    }
  })()
  return {
    async stop() {
      stopped.abort()
      schedules.stop()
      endRetries()
      endSettings()
      endEvents()
      session.abort(new Error('the panel stops'))
      await Promise.race([
        Promise.allSettled([reconciling.then(() => reconciler.settled()), watching, probing, following, ...jobsInHand]),
        sleep(stopLimitMs, undefined, { ref: false })
      ])
      await session.close()
    }
  }
}

/** As the settings have them, at once when those change: the time zone of cron lines, and intervals. */
function holdSchedules(deps: Dependencies): { stop(): void } {
  const wanted = () => {
    const timezone = deps.settings.timezone()
    const schedules = deps.features.flatMap((feature) => schedulesOf(feature, deps.config))
    return schedules.map((schedule) => (schedule.cron === undefined ? schedule : { ...schedule, timezone }))
  }
  let held = wanted()
  let end = deps.jobs.schedule(held)
  let changing: Promise<unknown> = Promise.resolve()
  const follow = () => {
    changing = changing.then(async () => {
      const next = wanted()
      if (isDeepStrictEqual(next, held)) return
      held = next
      await end()
      end = deps.jobs.schedule(held)
    })
  }
  return { stop: deps.settings.onChange(follow) }
}
