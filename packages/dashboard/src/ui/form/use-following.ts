import type { UseFormReturnType } from '@mantine/form'
import { type RefObject, useEffect, useRef } from 'react'

/**
 * Shows values saved elsewhere unless the user is editing. Returns the key for the `<form>`, because uncontrolled
 * inputs read their values on mount.
 */
export function useFollowing<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  values: Values,
  lastSaved?: RefObject<string | undefined>
): string {
  const given = JSON.stringify(values)
  const shown = useRef(given)
  useEffect(() => {
    if (shown.current === given) return
    // Saved by this form: do not remount, to keep the focus.
    const typed = JSON.stringify(form.getValues())
    const isSaved = typed === given
    if (!isSaved && form.isDirty() && typed !== lastSaved?.current) return
    shown.current = given
    form.setInitialValues(values)
    if (isSaved) form.resetDirty()
    else form.reset()
  })
  return form.key('')
}
