/** The code and the style of the HTML report, as the build bundles them from `js/report/`. */
declare module 'report-page' {
  export const script: string
  export const style: string
}
