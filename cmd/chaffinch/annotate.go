package main

// annotateCmd lists the commands around labelling by hand, which itself is done in the browser
// ("serve --annotate").
type annotateCmd struct {
	Agreement annotateAgreementCmd `cmd:"" help:"Measure the agreement of two annotators."`
	Sheet     annotateSheetCmd     `cmd:"" help:"Write sheets for labelling the roles of blocks in a text editor."`
	Roles     annotateRolesCmd     `cmd:"" help:"Convert labelled sheets to a table of roles."`
	Gold      annotateGoldCmd      `cmd:"" help:"Convert a table of roles to pages with gold text."`
}
