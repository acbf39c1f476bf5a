import { feature } from '../feature.ts'
import { watchInstances } from './instances.watch.ts'

export const instanceHealth = feature({
  name: 'instance-health',
  reconcile: [{ name: 'instance health', on: {}, run: async (_deps, { resource }) => void resource(watchInstances) }]
})
