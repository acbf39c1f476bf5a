import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { domainRuleKinds } from '@panel/contract/domain-rules'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { domainRuleMessages } from './domain-rules.messages.ts'
import type { DomainRule, DomainRuleKind } from './domain-rules.queries.ts'
import { RuleFields } from './rule-fields.tsx'
import { ruleSchema, valuesOf } from './rule-values.ts'

interface RuleFormProps {
  rule: DomainRule | undefined
  /** Users of the saved rule, whose passwords are kept. */
  savedUsers: readonly string[]
  onDone(rule: DomainRule): void
  onClose(): void
}

/** Changes the draft only; the page saves all rules together. */
export function RuleForm({ rule, savedUsers, onDone, onClose }: RuleFormProps) {
  const t = useMessages(domainRuleMessages)
  const [initialValues] = useState(() => valuesOf(rule))
  const [kind, setKind] = useState(initialValues.kind)
  const contractForm = useContractForm({
    schema: ruleSchema(savedUsers),
    initialValues,
    send: async (values) => values,
    onSaved: onDone
  })
  const { form } = contractForm
  const changeKind = (value: DomainRuleKind) => {
    setKind(value)
    form.clearErrors()
    form.setFieldValue('kind', value)
  }
  return (
    <FormDialog
      of={contractForm}
      title={t(rule ? 'rule.edit' : 'rule.add')}
      submitText={t('rule.done')}
      onClose={onClose}
    >
      <NativeSelect
        label={t('kind')}
        description={t(`kind.${kind}.hint`)}
        data={domainRuleKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={kind}
        onChange={({ currentTarget }) => changeKind(currentTarget.value as DomainRuleKind)}
        data-autofocus
      />
      <TextInput
        label={t('path')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        {...form.getInputProps('path')}
      />
      <NativeSelect
        label={t('match')}
        data={(['PREFIX', 'EXACT'] as const).map((value) => ({ value, label: t(`match.${value}`) }))}
        {...form.getInputProps('match')}
      />
      <RuleFields kind={kind} form={form} savedUsers={savedUsers} />
      <TextInput label={t('note')} autoComplete="off" {...form.getInputProps('note')} />
      <Checkbox label={t('rule.enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormDialog>
  )
}
