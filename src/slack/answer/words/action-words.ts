/** What most actions say: to read the article, which its button says already. */
const BOILERPLATE =
  /^(?:for (?:more|additional|further) information,? (?:please )?(?:refer to|see) the (?:linked|related|following) (?:article|solution)s?)\.?$/i;

/** The action of a diagnostic where it says something, else ''. */
export function actionOf({ action }: { readonly action: string }): string {
  return BOILERPLATE.test(action.trim()) ? '' : action;
}
