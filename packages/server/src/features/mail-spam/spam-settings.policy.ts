export interface SpamRules {
  isEnabled: boolean
  junkScore: number
  refuseScore: number
  isGreylisting: boolean
  allow: readonly string[]
  deny: readonly string[]
}

/** The filter uses the same values for domains without settings. */
export const defaultRules: SpamRules = {
  isEnabled: true,
  junkScore: 6,
  refuseScore: 15,
  isGreylisting: true,
  allow: [],
  deny: []
}

export interface SpamChange {
  enabled?: boolean | undefined
  junkScore?: number | undefined
  refuseScore?: number | undefined
  greylisting?: boolean | undefined
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
}

export const changedRules = (current: SpamRules, change: SpamChange): SpamRules => ({
  isEnabled: change.enabled ?? current.isEnabled,
  junkScore: change.junkScore ?? current.junkScore,
  refuseScore: change.refuseScore ?? current.refuseScore,
  isGreylisting: change.greylisting ?? current.isGreylisting,
  allow: change.allow ?? current.allow,
  deny: change.deny ?? current.deny
})

export function rulesProblem({ junkScore, refuseScore, allow, deny }: SpamRules): string | undefined {
  if (junkScore > refuseScore)
    return `junkScore (${junkScore}) must not be above refuseScore (${refuseScore}): no mail would go to Junk`
  const both = allow.find((sender) => deny.includes(sender))
  return both === undefined ? undefined : `${both} cannot be both allowed and denied`
}
