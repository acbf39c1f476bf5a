import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { firewallActions, firewallProtocols, FirewallRule } from '@panel/contract/firewall'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { firewallMessages } from './firewall.messages.ts'

interface RuleFormProps {
  rule: FirewallRule | undefined
  yourAddress: string | null
  onDone(rule: FirewallRule): void
  onClose(): void
}

const fresh: FirewallRule = { action: 'ALLOW', protocol: 'TCP', ports: [], source: null, note: '', enabled: true }

/** Changes the draft only; the page saves all rules together. */
export function RuleForm({ rule, yourAddress, onDone, onClose }: RuleFormProps) {
  const t = useMessages(firewallMessages)
  const contractForm = useContractForm({
    schema: FirewallRule,
    initialValues: rule ?? fresh,
    send: async (values) => values,
    onSaved: onDone
  })
  const { form } = contractForm
  const [source, setSource] = useState(rule?.source ?? '')
  const changeSource = (text: string) => {
    setSource(text)
    form.setFieldValue('source', text.trim() === '' ? null : text.trim())
  }
  // An error of a list belongs to one of its entries.
  const portsError = Object.entries(form.errors).find(([path]) => path.startsWith('ports'))?.[1]
  return (
    <FormDialog
      of={contractForm}
      title={t(rule ? 'rule.edit' : 'rule.add')}
      submitText={t('rule.done')}
      onClose={onClose}
    >
      <NativeSelect
        label={t('action')}
        data={firewallActions.map((value) => ({ value, label: t(`action.${value}`) }))}
        data-autofocus
        {...form.getInputProps('action')}
      />
      <div>
        <TextInput
          label={t('source')}
          description={t('source.hint')}
          value={source}
          onChange={({ currentTarget }) => changeSource(currentTarget.value)}
          error={form.errors.source}
          data-path="source"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {yourAddress !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => changeSource(yourAddress)}>
            {t('source.mine')}
          </Button>
        )}
      </div>
      <NativeSelect
        label={t('protocol')}
        data={firewallProtocols.map((value) => ({ value, label: t(`protocol.${value}`) }))}
        {...form.getInputProps('protocol')}
      />
      <TextInput
        label={t('ports')}
        description={t('ports.hint')}
        defaultValue={(rule ?? fresh).ports.join(', ')}
        onChange={({ currentTarget }) => form.setFieldValue('ports', portsIn(currentTarget.value))}
        error={portsError}
        data-path="ports"
        autoComplete="off"
      />
      <TextInput label={t('note')} autoComplete="off" {...form.getInputProps('note')} />
      <Checkbox label={t('rule.enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormDialog>
  )
}

const portsIn = (text: string): string[] =>
  text
    .split(/[\s,]+(?!-)/)
    .map((port) => port.replaceAll(' ', ''))
    .filter((port) => port !== '')
