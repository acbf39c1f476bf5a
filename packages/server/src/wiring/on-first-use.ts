import { lazy } from '../concurrency/lazy.ts'

type Verbs<Adapter> = { [Verb in keyof Adapter]: (...args: never[]) => Promise<unknown> }

/** An adapter whose code is imported on the first call. `verbs` must list all methods. */
export function onFirstUse<Adapter extends Verbs<Adapter>>(
  load: () => Promise<Adapter>,
  verbs: Readonly<Record<keyof Adapter, true>>
): Adapter {
  const get = lazy(load)
  const call =
    <Verb extends keyof Adapter>(verb: Verb) =>
    async (...args: Parameters<Adapter[Verb]>) =>
      (await get())[verb](...args)
  const names = Object.keys(verbs) as (keyof Adapter)[]
  return Object.fromEntries(names.map((verb) => [verb, call(verb)])) as unknown as Adapter
}
