import { PDF, PdfDict, PdfNumber } from '@libpdf/core'

/** Bit 1 of a field's /Ff (ISO 32000-2 table 227). The library does not draw read-only fields. */
const READ_ONLY = 1

/**
 * Gives form fields that have a value but no picture of it one, because the copy has no form that a viewer could draw them
 * from. Fields that have an appearance keep it. Changes the loaded source only.
 */
export function drawMissingAppearances(source: PDF): void {
  // a broken form must not cost the document its pages
  try {
    if (!source.getCatalog().has('AcroForm')) return
    const form = source.getForm()
    if (form === null || form.isEmpty) return
    let isMissing = false
    for (const field of form.getFields()) {
      const widgets = field.getWidgets()
      if (!('needsAppearanceUpdate' in field) || widgets.every((widget) => widget.dict.has('AP'))) continue
      field.needsAppearanceUpdate = true
      isMissing = true
      clearReadOnly(field.acroField())
    }
    if (isMissing) form.updateAppearances()
  } catch {
    // the fields stay as they are
  }
}

function clearReadOnly(field: PdfDict): void {
  const flags = field.get('Ff')
  if (flags instanceof PdfNumber) field.set('Ff', PdfNumber.of(flags.value & ~READ_ONLY))
}
