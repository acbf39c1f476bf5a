import type { UseFormReturnType } from '@mantine/form'
import { type RefObject, useEffect, useRef } from 'react'

/**
 * Shows what has been saved meanwhile, here or by somebody else, as long as nothing is being typed: that stays, whatever the page is told.
 * The result is the key of the `<form>`, whose inputs take their values when they are drawn for the first time.
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
    // What was typed here has been saved: it stands there, with the focus where it was.
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
