import { notifications } from '@mantine/notifications'
import type { DomainRules, SaveDomainRules } from '@panel/contract/domain-rules'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { domainRuleMessages } from './domain-rules.messages.ts'
import { type DomainRule, rulesQuery, saveRules } from './domain-rules.queries.ts'

/** Edits a draft of all rules, which is saved as a whole with the version that it started from. */
export function useRulesDraft(domainId: string, saved: DomainRules) {
  const t = useMessages(domainRuleMessages)
  const client = useQueryClient()
  const { queryKey } = rulesQuery(domainId)
  const [draft, setDraft] = useState<SaveDomainRules>()
  const saving = useOnce<DomainRules, SaveDomainRules>({
    mutationFn: (body) => saveRules(domainId, body),
    onSuccess: (result, sent) => {
      client.setQueryData(queryKey, result)
      // Keeps what was changed while saving.
      setDraft((now) => (now === undefined || now === sent ? undefined : { ...now, version: result.version }))
      notifications.show({ message: t('saved'), role: 'status' })
    },
    onError: (error) => {
      if (isApiError(error) && error.code === 'CONFLICT') return client.invalidateQueries({ queryKey })
    }
  })
  const discard = () => {
    saving.reset()
    setDraft(undefined)
  }
  const setRules = (rules: DomainRule[]) => {
    saving.reset()
    if (JSON.stringify(rules) === JSON.stringify(saved.rules)) setDraft(undefined)
    else setDraft({ rules, version: draft?.version ?? saved.version })
  }
  return {
    rules: draft?.rules ?? saved.rules,
    isChanged: draft !== undefined,
    /** Saving would be refused: the draft started from an older version. */
    isOutdated: draft !== undefined && draft.version !== saved.version && !saving.isPending,
    isSaving: saving.isPending,
    error: saving.error,
    setRules,
    discard,
    save: () => draft && saving.mutate(draft)
  }
}
