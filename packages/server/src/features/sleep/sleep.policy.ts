const minuteMs = 60_000

export interface SiteActivity {
  sleepAfterMinutes: number
  /** When it was last deployed, started or woken. */
  awakeSince: Date | null
  /** End of the last minute with a request; null without any in the time that counts. */
  lastRequestAt: Date | null
}

/** Whether the site had no request for as long as its owner set. A request or a start in the future counts too. */
export function isIdle({ sleepAfterMinutes, awakeSince, lastRequestAt }: SiteActivity, now: Date): boolean {
  const since = Math.max(awakeSince?.getTime() ?? 0, lastRequestAt?.getTime() ?? 0)
  return now.getTime() - since >= sleepAfterMinutes * minuteMs
}
