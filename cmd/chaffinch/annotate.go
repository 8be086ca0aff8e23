package main

// annotateCmd lists the commands around labelling by hand, which itself is done in the browser
// ("serve --annotate").
type annotateCmd struct {
	Agreement annotateAgreementCmd `cmd:"" help:"Measure the agreement of two annotators on the same documents."`
	Sheet     annotateSheetCmd     `cmd:"" help:"Write sheets of pages, to label the roles of their blocks with an editor."`
	Roles     annotateRolesCmd     `cmd:"" help:"Make the table of roles of labels that were written for sheets."`
	Gold      annotateGoldCmd      `cmd:"" help:"Make a set of pages with gold text of a table of roles."`
}
