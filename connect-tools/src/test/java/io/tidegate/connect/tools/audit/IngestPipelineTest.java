package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.cli.ToolException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngestPipelineTest {
    private static boolean mayMove(String processors) throws ToolException {
        return IngestPipeline.mayMove(SearchStore.json("{" + processors + "}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'processors':[{'lowercase':{'field':'a'}},{'drop':{'if':'ctx.n == 1'}}]",
                "'processors':[{'reroute':{}}]",
                "'processors':[{'pipeline':{'name':'other'}}]",
                "'processors':[{'script':{'source':'ctx.a = 1'}}]",
                "'processors':[{'date_index_name':{'field':'at','date_rounding':'d'}}]",
                "'processors':[{'foreach':{'field':'a','processor':{'foreach':{'field':'b','processor':{'drop':{}}}}}}]",
                "'processors':[{'set':{'field':'_index','value':'x'}}]",
                "'processors':[{'set':{'field':'{{{to}}}','value':'x'}}]",
                "'processors':[{'rename':{'field':'a','target_field':'_id'}}]",
                "'processors':[{'remove':{'field':['a','_id']}}]",
                "'processors':[{'dissect':{'field':'a','pattern':'%{_index}-%{b}'}}]",
                "'processors':[{'geoip':{'field':'a','on_failure':[{'drop':{}}]}}]",
                "'processors':[],'on_failure':[{'set':{'field':'_index','value':'failed'}}]"
            })
    void maySendDocumentsElsewhere(String processors) throws ToolException {
        assertThat(mayMove(processors.replace('\'', '"'))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'processors':[]",
                "'description':'sets _index','processors':[{'set':{'field':'index_id','value':'{{_index}}','if':'ctx._id == null'}}]",
                "'processors':[{'set':{'field':'kept','copy_from':'_id'}},{'geoip':{'field':'ip'}}]",
                "'processors':[{'foreach':{'field':'a','processor':{'trim':{'field':'_ingest._value'}}}}]",
                "'processors':[{'fail':{'message':'no _index'}}],'on_failure':[{'set':{'field':'error','value':'x'}}]"
            })
    void onlyChangesDocuments(String processors) throws ToolException {
        assertThat(mayMove(processors.replace('\'', '"'))).isFalse();
    }
}
