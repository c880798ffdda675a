/** What can be exported: what a message shows, on all its pages, or everything that it is about. */
export const EXPORT_CHOICES = ['csv', 'markdown', 'all-csv'] as const;
/** Long texts for the case come as files too. */
export type ExportChoice = (typeof EXPORT_CHOICES)[number] | 'case' | 'links';
