import { z } from 'zod'

/** A week. */
const maxSleepMinutes = 10_080

/** Members of a project's settings. */
export const sleepSettings = {
  sleepAfterMinutes: z
    .int()
    .min(1)
    .max(maxSleepMinutes)
    .nullish()
    .meta({
      description:
        'Minutes without a request after which the containers of the site stop and free their memory. The next request starts them, and ' +
        'waits until the site answers. Workers and scheduled jobs are not affected. Null: never.'
    })
}
